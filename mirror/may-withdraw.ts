import type { KubeObject } from '#api/objects.ts';
import type { MirrorContext } from '#mirror/mirror-context.ts';
import type { ObjectKey } from '#mirror/object-key.ts';

/** True when the guard lets a copy go on this evidence. Says so in the log where it freezes over it. */
export function mayWithdraw<S extends KubeObject>(
  { guard, source, log }: Pick<MirrorContext<S>, 'guard' | 'source' | 'log'>,
  key: ObjectKey,
  evidence: 'strong' | 'weak',
): boolean {
  if (evidence === 'weak') return guard.permits(key);
  const wasFrozen = guard.frozen !== undefined;
  const follows = guard.followsDeletion(key, source.clock.monotonicMs());
  if (!follows && !wasFrozen) log.error({ reason: 'ShrinkFrozen' }, 'Too many sources were deleted at once: withdrawals are frozen');
  return follows;
}
