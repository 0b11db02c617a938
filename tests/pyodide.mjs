// Runs a Python file in Pyodide, with the wheels of a folder installed as micropip does it.
// node pyodide.mjs PYODIDE WHEELS FILE [ARGUMENT ...]
import { readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// node shows a line of compiled code with an error: only what Python says is wanted
process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(1);
});
const [pyodide, wheels, file, ...words] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${pyodide}/` });
const quiet = { messageCallback: () => {} };
await python.loadPackage(["numpy", "micropip"], quiet);
python.FS.mkdirTree("/wheels");
python.FS.mount(python.FS.filesystems.NODEFS, { root: wheels }, "/wheels");
const names = readdirSync(wheels).filter((name) => name.endsWith(".whl"));
// what pegwise needs comes before it
names.sort((one, other) => one.startsWith("pegwise") - other.startsWith("pegwise"));
python.globals.set("names", python.toPy(names));
python.globals.set("words", python.toPy([file, ...words]));
await python.runPythonAsync(`
import micropip, sys
for name in names:
    await micropip.install("emfs:/wheels/" + name)
sys.argv = words
`);
python.runPython(readFileSync(file, "utf8"));
