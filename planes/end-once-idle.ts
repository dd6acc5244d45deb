/**
 * Ends this process as soon as nothing is left to do, with the exit code that is set by then.
 * Left to itself, Node 24 has been seen to spin for ever (in `Environment::CleanupHandles`) while it frees a socket that both ends had shut:
 * a process that has spoken with servers may have one.
 */
export function endOnceIdle(): void {
  process.once('beforeExit', () => process.exit());
}
