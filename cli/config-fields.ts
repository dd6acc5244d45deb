import { z } from 'zod';
import { parseDuration } from '#cli/duration.ts';
import { parseListenAddress } from '#cli/listen-address.ts';
import { isProjectName, PROJECT_NAME_FACT } from '#cli/project-name.ts';

const DURATION_FACT = 'must be a duration with a unit, such as 500ms, 30s or 10m, of at most 24 days';

/** A length of time, in milliseconds once read. */
export const duration = (fallback: string) =>
  z
    .string({ error: DURATION_FACT })
    .default(fallback)
    .transform((text, context) => parseDuration(text) ?? refuse(context, DURATION_FACT));

/** Where to listen. */
export const address = z
  .string({ error: 'must be host:port' })
  .default('127.0.0.1:8080')
  .transform((text, context) => parseListenAddress(text) ?? refuse(context, 'must be host:port, such as 127.0.0.1:8080 or :8080'));

/** Contract section 1: a location has no dots, else two copies could share a name. A cell's name goes into labels and metrics. */
export const dnsLabel = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, {
  error: 'must be a DNS label: lower-case letters, digits and inner dashes, at most 63 characters',
});

/** A project's name. */
export const projectName = z.string().refine(isProjectName, { error: PROJECT_NAME_FACT });

/** How to reach one API server. */
export const plane = {
  kubeconfig: z
    .string()
    .min(1, { error: 'must name a file' })
    .describe('Path of a kubeconfig, from the folder of this file. It is read again whenever it changes.'),
  context: z.string().min(1, { error: 'must name a context' }).exactOptional().describe('A context of it; else its current context.'),
};

/** When a sudden loss of sources is not believed (contract section 5, "Shrink guard"). */
const shrinkGuard = z
  .strictObject({
    believedAbsent: z
      .int()
      .min(0)
      .default(50)
      .describe('So many missing sources are always believed. More are not, while they are more than half of what the hub holds.'),
    confirmations: z
      .int()
      .min(1)
      .default(3)
      .describe('Complete observations that must miss the same source before its copy goes after all.'),
    confirmAfter: z
      .union([z.literal('never').transform(() => undefined), duration('30m')], {
        error: `must be never, or ${DURATION_FACT.slice('must be '.length)}`,
      })
      .prefault('30m')
      .describe('Over at least this long; `never`: only an approval lets a frozen copy go.'),
    believedDeletions: z
      .int()
      .min(1)
      .exactOptional()
      .describe(
        'So many deletions that were seen are followed within `deletionsWithin`; more are frozen too. Without it all are followed.',
      ),
    deletionsWithin: duration('1m').describe('The time over which `believedDeletions` counts.'),
  })
  .transform(({ confirmAfter, believedDeletions: count, deletionsWithin: withinMs, ...guard }) => ({
    ...{ ...guard, confirmAfterMs: confirmAfter },
    ...(count !== undefined && { deletions: { count, withinMs } }),
  }));

/** How a role is paced. */
export const pace = {
  sweepInterval: duration('10m').describe('Between two comparisons of everything, both ways.'),
  retryInterval: duration('30s').describe('Between two looks at what waits for something or was refused.'),
  idleTimeout: duration('90s').describe(
    'The longest silence of a watch before it is made anew. API servers say something about once a minute: less only costs connections.',
  ),
  concurrency: z
    .int()
    .min(1)
    .max(1000)
    .default(32)
    .describe('Requests under way at one API server at once. The hub, which both roles share, is given the larger of the two.'),
  shrinkGuard: shrinkGuard.prefault({}),
};

/** Says that a value is wrong, in the place of a transformed one. */
export function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
