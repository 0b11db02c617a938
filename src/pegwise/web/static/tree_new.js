// The form that has a tree built.

import { post } from "./api.js";
import { find, pageData } from "./dom.js";
import { sends } from "./forms.js";

const { rules } = pageData();

sends(find("#new"), async (fields) => {
  const tree = await post("trees", { rules: rules.text, strategy: fields.get("strategy") });
  location.href = `/tree/${tree.id}${find("#new").dataset.named}`;
});
