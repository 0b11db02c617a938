// The days of the visitor, by the clock of the device, and the puzzles that this browser has solved.

import { store, stored } from "./dom.js";

/** A day as 2026-11-27: that of the visitor, not of the server. */
export const dayText = (date = new Date()) =>
  [date.getFullYear(), String(date.getMonth() + 1).padStart(2, "0"), String(date.getDate()).padStart(2, "0")].join("-");

/** What is in a list that this browser stores. */
export const listed = (list) => new Set(JSON.parse(stored(list) || "[]"));

/** Add items to a list. */
export const note = (list, ...items) => store(list, JSON.stringify([...new Set([...listed(list), ...items])].slice(-2000)));

/** All lists. */
export const LISTS = ["puzzles", "days", "gold", "levels", "hints", "wrong", "daily", "days 4x6", "days wordle"];

/** Days in a row up to today, or yesterday where today's puzzle, or what a list is of, is not solved yet. */
export function streak(list = "days") {
  const solved = listed(list);
  const day = new Date();
  const back = () => day.setDate(day.getDate() - 1);
  if (!solved.has(dayText(day))) back();
  let length = 0;
  for (; solved.has(dayText(day)); back()) length += 1;
  return length;
}
