import { readFileSync } from 'node:fs';

/** A process, told apart from a later one with the same number. */
export type ProcessIdentity = {
  pid: number;
  /** Clock ticks after boot at which it started, as the kernel writes it. */
  startTime: string;
};

/** Who we are. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTime: startTimeOf(process.pid) ?? '' };
}

/**
 * When a process started, or nothing when it is gone. One that has ended and waits to be reaped counts as gone.
 * Field 22 of `/proc/<pid>/stat`, see proc_pid_stat(5). Needs Linux, as the planes do.
 */
export function startTimeOf(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? undefined : fields[18];
}

/** True while that very process runs. */
export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  return startTimeOf(pid) === startTime;
}

/** `pid startTime`, the form in which identities are kept in files. */
export function formatIdentity({ pid, startTime }: ProcessIdentity): string {
  return `${pid} ${startTime}`;
}

/** The identity at the start of a line, or nothing when the line is not whole: its writer may have been killed while writing. */
export function parseIdentity(line: string): ProcessIdentity | undefined {
  const [, pid, startTime] = /^(\d+) (\d+)(?: |$)/.exec(line) ?? [];
  return pid === undefined || startTime === undefined ? undefined : { pid: Number(pid), startTime };
}
