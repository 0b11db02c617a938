// Lists of words: those of one's own are deleted here.

import { listOwn } from "./forms.js";
import { word } from "./words.js";

listOwn("words", word("sureDelete"));
