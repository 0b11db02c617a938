"""The coach: advice for the next guess, and what each guess of a played game could tell and did."""
