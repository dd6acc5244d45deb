/** What the program says by its exit code. Part of the contract with whoever starts it: never give one another meaning. */
export const EXIT = {
  /** Done, or stopped by a signal with all work in flight finished. */
  ok: 0,
  /** Failed while running, or stopped before its work in flight was finished. */
  failure: 1,
  /** Called wrongly, or configured wrongly: nothing was started, and starting it again will not help. */
  usage: 2,
} as const;
