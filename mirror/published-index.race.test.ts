import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { KubeObject } from '#api/objects.ts';
import { settle } from '#kube/testing/manual-clock.ts';
import { PublishedIndex } from '#mirror/published-index.ts';
import { describeCopy, FIELD_MANAGER, heldCopy } from '#mirror/testing/copies.ts';

/*
 * One copy on a server, its watch, and our own requests about it, in every order that a network can bring about:
 * events come late but in order, a request is carried out some time after it was sent, and its answer comes some time after that.
 */
const STEPS = ['change', 'remove', 'event', 'send', 'carry out', 'answer', 'list', 'list shows', 'list ends'] as const;
type Step = (typeof STEPS)[number];
type Event = { type: 'present' | 'deleted'; copy: KubeObject; version: number };
type Request = { writes: boolean; answered: KubeObject | 'not found' | undefined; resolve: (copy: KubeObject | Error) => void };

const KEY = 'ns/copy-a';

class Race {
  readonly index = new PublishedIndex({ fieldManager: FIELD_MANAGER, describe: describeCopy });
  stored: KubeObject | undefined;
  #version = 0;
  #uids = 0;
  #events: Event[] = [];
  #requests: Request[] = [];
  #list: { shown: KubeObject | undefined | 'nothing yet' } | undefined;

  async take(step: Step, choice: number): Promise<void> {
    if (step === 'change') this.#change();
    else if (step === 'remove') this.#remove();
    else if (step === 'event') this.#deliver();
    else if (step === 'send') this.#send(choice % 2 === 0);
    else if (step === 'carry out') this.#carryOut(choice);
    else if (step === 'answer') await this.#answer(choice);
    else this.#takeListStep(step);
  }

  /** Lets everything that is under way arrive, in an order that the choices make. */
  async finish(choices: number[]): Promise<void> {
    this.#takeListStep('list shows');
    this.#takeListStep('list ends');
    for (const choice of choices) await this.take(choice % 3 === 0 ? 'event' : choice % 3 === 1 ? 'carry out' : 'answer', choice);
    for (let more = 0; more < 60; more += 1) {
      this.#carryOut(0);
      await this.#answer(0);
    }
    while (this.#events.length > 0) this.#deliver();
  }

  #change(): KubeObject {
    this.#version += 1;
    if (!this.stored) this.#uids += 1;
    const metadata = { uid: `u${this.#uids}`, resourceVersion: String(this.#version) };
    this.stored = heldCopy({ metadata, body: { content: this.#version } });
    this.#events.push({ type: 'present', copy: this.stored, version: this.#version });
    return this.stored;
  }

  #remove(): void {
    if (!this.stored) return;
    this.#version += 1;
    const copy = { ...this.stored, metadata: { ...this.stored.metadata, resourceVersion: String(this.#version) } };
    this.stored = undefined;
    this.#events.push({ type: 'deleted', copy, version: this.#version });
  }

  #deliver(): void {
    if (this.#list) return;
    const event = this.#events.shift();
    if (event) this.index.handler[event.type](event.copy);
  }

  #send(writes: boolean): void {
    const answer = new Promise<KubeObject>((resolve, reject) => {
      const settled = (copy: KubeObject | Error) => (copy instanceof Error ? reject(copy) : resolve(copy));
      this.#requests.push({ writes, answered: undefined, resolve: settled });
    });
    this.index.read(KEY, () => answer).catch(() => undefined);
  }

  #carryOut(choice: number): void {
    const waiting = this.#requests.filter(({ answered }) => answered === undefined);
    const request = waiting[choice % waiting.length];
    if (request) request.answered = request.writes ? this.#change() : (this.stored ?? 'not found');
  }

  async #answer(choice: number): Promise<void> {
    const answerable = this.#requests.filter(({ answered }) => answered !== undefined);
    const request = answerable[choice % answerable.length];
    if (request?.answered === undefined) return;
    this.#requests = this.#requests.filter((other) => other !== request);
    request.resolve(request.answered === 'not found' ? new Error('not found') : request.answered);
    await Promise.resolve();
    await settleQuickly();
  }

  /** A list begins, shows one moment of the server, and ends; the watch goes on after that moment. */
  #takeListStep(step: Step): void {
    if (step === 'list' && !this.#list) {
      this.#list = { shown: 'nothing yet' };
      this.index.handler.listStarted({ epoch: 1, wentBack: false });
    } else if (step === 'list shows' && this.#list?.shown === 'nothing yet') {
      this.#list.shown = this.stored;
      this.#events = [];
      if (this.stored) this.index.handler.present(this.stored);
    } else if (step === 'list ends' && this.#list && this.#list.shown !== 'nothing yet') {
      this.#list = undefined;
      this.index.handler.listCompleted();
    }
  }
}

async function settleQuickly(): Promise<void> {
  for (let turns = 0; turns < 8; turns += 1) await Promise.resolve();
}

describe('what is known of one copy', () => {
  const choices = fc.array(fc.nat(11), { maxLength: 30 });
  const run = async (steps: readonly (readonly [Step, number])[], rest: number[]) => {
    const race = new Race();
    for (const [step, choice] of steps) await race.take(step, choice);
    await race.finish(rest);
    const known = race.index.get(KEY);
    assert.deepEqual([known?.uid, known?.resourceVersion], [race.stored?.metadata.uid, race.stored?.metadata.resourceVersion]);
  };
  const scripts = (words: readonly Step[]) => fc.array(fc.tuple(fc.constantFrom(...words), fc.nat(11)), { maxLength: 40, size: 'max' });

  it('is what the server holds, in whatever order events and answers came', async () => {
    const withoutLists = STEPS.filter((step) => !step.startsWith('list'));
    await fc.assert(fc.asyncProperty(scripts(withoutLists), choices, run), { numRuns: 1_500 });
  });

  it('is what the server holds, also where lists came between', async () => {
    await fc.assert(fc.asyncProperty(scripts(STEPS), choices, run), { numRuns: 3_000 });
    await settle();
  });
});
