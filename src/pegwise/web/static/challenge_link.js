// The address under which others play for the same secret.

import { post } from "./api.js";
import { complain, confirmed, copy, h, share } from "./dom.js";
import { word } from "./words.js";

/** Show the address under which others play for the same secret as a game of one's own. */
export async function offerChallenge(id) {
  try {
    const { path } = await post(`games/${id}/challenge`);
    const link = new URL(path, location.href).href;
    if (navigator.share) return await share(word("dare"), link);
    const question = [word("sendLink"), h("b", { class: "address" }, link)];
    if (await confirmed(question, word("copyLink"), word("closeLink"))) await copy(link, word("linkCopied"));
  } catch (error) {
    complain(error.message);
  }
}
