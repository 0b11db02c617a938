// The review of a game with several secrets: its boards as wide as their codes, and the line to share.

import { find, pageData } from "./dom.js";
import { listenToShare } from "./share.js";

const { pegs } = pageData().rules;
find("#boards").style.setProperty("--pegs", pegs);
find("#boards").style.setProperty("--marks", Math.ceil(pegs / 2));
listenToShare(location.href);
