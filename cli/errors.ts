/** One problem in a file, where it is, and what is wrong there. Lines and columns count from 1. */
export type ConfigIssue = {
  file: string;
  line: number;
  column: number;
  /** Keys and indexes joined by dots, as in `cells.1.location`; empty for the file as a whole. */
  path: string;
  message: string;
};

/** The configuration cannot be used. Carries every problem found, in the order of the file. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** `Unreadable`: there is no such file, or no right to read it. `Invalid`: its content is wrong. */
  readonly code: 'Unreadable' | 'Invalid';
  readonly issues: readonly ConfigIssue[];

  constructor(code: 'Unreadable' | 'Invalid', issues: readonly ConfigIssue[]) {
    super(issues.map(formatIssue).join('\n'));
    this.code = code;
    this.issues = issues;
  }
}

/** The program was called in a way that it does not know. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** Commander's word for it, such as `commander.unknownOption`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** `hub.yaml:6:12 cells.1: Unrecognized key "sever"`, in the form that editors and terminals turn into a link. */
export function formatIssue({ file, line, column, path, message }: ConfigIssue): string {
  return `${file}:${line}:${column} ${path === '' ? '' : `${path}: `}${message}`;
}
