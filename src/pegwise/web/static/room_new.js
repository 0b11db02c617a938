// The page that opens rooms: the list of one's own deletes them.

import { listOwn } from "./forms.js";
import { word } from "./words.js";

listOwn("rooms", word("sureDelete"));
