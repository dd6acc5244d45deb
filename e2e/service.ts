import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { request } from 'undici';
import { eventually } from '#e2e/eventually.ts';
import { buildProgram } from '#checks/build-program.ts';
import type { EventuallyOptions } from '#e2e/eventually.ts';
import { metricValue } from '#e2e/metric-value.ts';
import type { Child, Exit } from '#planes/child.ts';
import type { Environment } from '#planes/environment.ts';

/** One line of the service's log. */
export type LogLine = { level: string; msg: string; address?: string; reason?: string; name?: string; [field: string]: unknown };

/** What the service is run with. `name` tells its log files from those of other services of one environment. */
export type ServiceRequest = {
  environment: Environment;
  name: string;
  configFile: string /** For Node itself. */;
  flags?: readonly string[];
};

/** How long the service may take to answer one question of a test, in milliseconds. */
const ASK_MS = 5_000;
/** How long it may take to start, in milliseconds: half a second on an idle machine, and thirty times that was seen on a busy one. */
const START_MS = 60_000;

/** The program in one file, as it ships: built once, since tests start it hundreds of times, and gone with this process. */
function builtProgram(): Promise<string> {
  built ??= buildIn(mkdtempSync(join(tmpdir(), 'fedhub-program-')));
  return built;
}

let built: Promise<string> | undefined;

async function buildIn(folder: string): Promise<string> {
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'fedhub.mjs');
  await buildProgram(file, 'warning');
  return file;
}

/** The real program as its own process, started, ended and started again by tests. */
export class Service {
  readonly #request: ServiceRequest;
  #child: Child | undefined;
  #logFile = '';
  #listening = '';
  #starts = 0;

  constructor(request: ServiceRequest) {
    this.#request = request;
  }

  /** The configuration that it runs with. */
  get configFile(): string {
    return this.#request.configFile;
  }

  /** Starts `fedhub run`, and resolves when it serves its endpoints. It may well be waiting for planes then. */
  async start(): Promise<void> {
    const { environment, configFile, flags = [] } = this.#request;
    const program = await builtProgram();
    const env = { ...process.env, NODE_COMPILE_CACHE: join(dirname(program), 'compiled') };
    this.#starts += 1;
    const name = `${this.#request.name}-${this.#starts}`;
    this.#logFile = join(environment.folder, `${name}.log`);
    const args = [...flags, program, 'run', '--config', configFile];
    this.#child = await environment.startProcess({ name, command: process.execPath, args, env });
    this.#listening = await this.eventually('the service serves its endpoints', () => this.#address(), { deadlineMs: START_MS });
  }

  /** Waits until the hub has been observed in full. */
  async ready(): Promise<void> {
    await this.eventually('the service is ready', async () => (await this.ask('/readyz')).status === 200);
  }

  /** Ends it in order, by SIGTERM, and answers with how it ended. */
  async stop(): Promise<Exit | undefined> {
    await this.#child?.stop();
    return this.#child?.exited;
  }

  /** Ends it as a crash would. */
  async kill(): Promise<void> {
    await this.#child?.kill();
  }

  /** False where a test has ended it, or it has ended by itself. */
  get running(): boolean {
    return this.#child?.running ?? false;
  }

  /** Where its endpoints are: `http://127.0.0.1:41234`. */
  get url(): string {
    return `http://${this.#listening}`;
  }

  /** Status and body of one of its endpoints. */
  async ask(path: string): Promise<{ status: number; body: string }> {
    const { statusCode, body } = await request(`${this.url}${path}`, { signal: AbortSignal.timeout(ASK_MS) });
    return { status: statusCode, body: await body.text() };
  }

  /** The sum of a metric over the series that carry all these labels; 0 where there is none. */
  async metric(name: string, labels: Record<string, string> = {}): Promise<number> {
    return metricValue((await this.ask('/metrics')).body, { name, labels });
  }

  /** Waits until a whole sweep of a cell that began after this call has been worked off. */
  async swept(cell: string): Promise<void> {
    const complete = () => this.metric('fedhub_sweeps_total', { plane: cell, result: 'complete' });
    // The next one to end may have begun already; the one after the next has its suspects in the queue when it ends.
    const third = (await complete()) + 3;
    await this.eventually(`${cell} is swept`, async () => (await complete()) >= third && (await this.#isIdle(cell)));
  }

  /** Waits until the first sweep of a cell since the service was started has been worked off. */
  async sweptOnce(cell: string): Promise<void> {
    const complete = () => this.metric('fedhub_sweeps_total', { plane: cell, result: 'complete' });
    await this.eventually(`${cell} is swept once`, async () => (await complete()) > 0 && (await this.#isIdle(cell)));
  }

  /** Waits until the service reports keys of a cell as held for this reason. */
  async expectHeld(cell: string, reason: string): Promise<void> {
    await this.eventually(
      `a key of ${cell} is held: ${reason}`,
      async () => (await this.metric('fedhub_held_keys', { plane: cell, reason })) > 0,
    );
  }

  /** Waits until the service's metrics show a condition of a cell like this: `IdentityBound`, `False IdentityFenced`. */
  async expectConditionMetric(cell: string, type: string, words: string): Promise<void> {
    const [status = '', reason = ''] = words.split(' ');
    await this.eventually(
      `the metrics of ${cell} show ${type} as ${words}`,
      async () => (await this.metric('fedhub_cell_condition', { plane: cell, type, status, reason })) === 1,
    );
  }

  /** What it has logged since it was last started. */
  logs(): LogLine[] {
    const lines = readFileSync(this.#logFile, 'utf8').split('\n').slice(0, -1);
    // What Node itself prints, of a crash say, is no JSON.
    return lines.map((line): LogLine => (line.startsWith('{') ? JSON.parse(line) : { level: 'error', msg: line }));
  }

  /** The last lines of its log, as they are. */
  logTail(): string {
    return this.#child?.logTail() ?? 'The service was never started';
  }

  /** Like `eventually`, and fails at once, with its last log lines, where the service ends meanwhile. */
  eventually<T>(description: string, probe: () => T | Promise<T>, options: Omit<EventuallyOptions, 'giveUp'> = {}) {
    const giveUp = () => (this.running ? undefined : `the service has ended. Its last lines:\n${this.logTail()}`);
    return eventually(description, probe, { ...options, giveUp });
  }

  async #isIdle(cell: string): Promise<boolean> {
    return (await this.metric('fedhub_queue_depth', { plane: cell })) === 0;
  }

  #address(): string {
    const address = this.logs().find((line) => line.address !== undefined)?.address;
    if (address === undefined) throw new Error('it has not logged where it listens');
    return address;
  }
}
