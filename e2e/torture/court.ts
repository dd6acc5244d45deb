import { copyKey } from '#e2e/scenario/expected-copy.ts';
import { serviceWrites } from '#e2e/scenario/hub-side.ts';
import { AuditTail } from '#planes/audit-tail.ts';
import { judgeWithdrawal } from '#e2e/torture/judge.ts';
import type { Verdict } from '#e2e/torture/judge.ts';
import { ledgerKey } from '#e2e/torture/ledger.ts';
import { spanOf } from '#e2e/torture/span.ts';
import type { Span } from '#e2e/torture/span.ts';
import type { Stage } from '#e2e/torture/stage.ts';
import type { TorturedCell, World } from '#e2e/torture/world.ts';
import { isAnswered } from '#planes/audit-log.ts';
import type { AuditEvent } from '#planes/audit-log.ts';
import { SERVICE_USER } from '#planes/plane-files.ts';

/** What the service has done in one schedule: every violation, in words, and how each withdrawal was judged. */
export type Judgement = { violations: string[]; verdicts: Verdict[] };

/** A copy's name on the hub, and what it is a copy of. */
type Claim = { cell: TorturedCell; key: string };

const READS = ['get', 'list', 'watch'];

/**
 * Judges the service by the API servers' own audit logs: what it has written on the hub, and that it has written nowhere else.
 * Nothing that the service says of itself counts.
 */
export class Court {
  readonly #hub: AuditTail;
  readonly #cells: ReadonlyMap<string, AuditTail>;
  /** Namespaces of every schedule so far: what is left of earlier ones is cleared away while the next one runs. */
  readonly #known = new Set<string>();

  constructor({ hub, cells }: Stage) {
    this.#hub = new AuditTail(hub.plane.auditLog);
    this.#cells = new Map(cells.map(({ name, plane }) => [name, new AuditTail(plane.auditLog)]));
  }

  /** Judges what has happened since the last call, which was all in this world. */
  judge(world: World): Judgement {
    for (const name of world.namespaces) this.#known.add(name);
    const asked = new Map([...this.#cells].map(([name, tail]) => [name, tail.read().filter(isAnswered).filter(isServices)]));
    const onCells = [...asked].flatMap(([name, events]) => serviceWrites(events).map((write) => `wrote on ${name}: ${write}`));
    const { violations, verdicts } = this.#judgeHub(world, asked);
    return { violations: [...onCells, ...violations], verdicts };
  }

  #judgeHub(world: World, asked: ReadonlyMap<string, AuditEvent[]>): Judgement {
    const judgement: Judgement = { violations: [], verdicts: [] };
    const claims = claimsOf(world);
    const written = new Map<string, Span[]>();
    for (const event of this.#hub.read().filter(isTakenWrite)) {
      const { namespace = '', name = '', resource } = event.objectRef ?? {};
      if (isTold(resource) || (this.#known.has(namespace) && !world.namespaces.includes(namespace))) continue;
      const copy = `${namespace}/${name}`;
      const claim = resource === 'endpointslices' ? claims.get(copy) : undefined;
      if (!claim) judgement.violations.push(`${event.verb} ${resource} ${copy}, which is no copy of any source`);
      else if (event.verb !== 'delete') written.set(copy, [...(written.get(copy) ?? []), spanOf(event)]);
      else {
        const { cell, key } = claim;
        const looks = looksAt(key, asked.get(cell.name) ?? []);
        const verdict = judgeWithdrawal({ key, at: spanOf(event), looks, writes: written.get(copy) ?? [] }, cell.ledger);
        judgement.verdicts.push(verdict);
        if (verdict === 'wrong' || verdict === 'unproven')
          judgement.violations.push(`withdrawal of ${copy} at ${event.stageTimestamp} is ${verdict}`);
      }
    }
    return judgement;
  }
}

/** Every name that a copy of any source that there ever was may have. */
function claimsOf({ cells }: World): Map<string, Claim> {
  const claims = new Map<string, Claim>();
  for (const cell of cells) {
    for (const key of cell.ledger.keys()) {
      const [namespace = '', name = ''] = key.split('/');
      claims.set(ledgerKey(copyKey(cell.location, { namespace, name })), { cell, key });
    }
  }
  return claims;
}

/** The service's own reads of this one source to which its cell has given an answer that says something. */
function looksAt(key: string, events: readonly AuditEvent[]): Span[] {
  const looks = events.filter(
    ({ verb, objectRef, responseStatus }) =>
      verb === 'get' &&
      objectRef?.resource === 'endpointslices' &&
      `${objectRef.namespace}/${objectRef.name}` === key &&
      [200, 404].includes(responseStatus?.code ?? 0),
  );
  return looks.map(spanOf).toSorted((one, other) => one.untilMs - other.untilMs);
}

/** What is for operators alone, and nobody carries on. */
function isTold(resource = ''): boolean {
  return resource === 'cellreports' || resource === 'events';
}

function isServices({ user }: AuditEvent): boolean {
  return user.username === SERVICE_USER;
}

/** A write that has changed something: taken by the server, and not only tried out. */
function isTakenWrite(event: AuditEvent): boolean {
  const code = event.responseStatus?.code ?? 0;
  return isServices(event) && !READS.includes(event.verb) && code >= 200 && code < 300 && !event.requestURI.includes('dryRun=');
}
