import type { KubeObject } from '#api/objects.ts';

/**
 * Who hears what a reflector observes. Every call is synchronous, and what it throws is logged and counted, no more.
 * `listStarted`, any number of `present`, and `listCompleted` make one complete list: only then is an object that was not named gone.
 * A list that breaks is followed by another `listStarted`; events of the time between may come within a list.
 */
export type ReflectorHandler<T extends KubeObject> = {
  /** `wentBack`: the server shows an older state than before, in a new epoch. What is missing from this list proves little. */
  listStarted(list: { epoch: number; wentBack: boolean }): void;
  present(object: T): void;
  /** The object as it last was. */
  deleted(object: T): void;
  listCompleted(): void;
  /** Every failed attempt. The reflector goes on by itself. */
  failed?(error: unknown): void;
};

/** The handler behind its guard: the same calls, and none of them throws. */
export function guarded<T extends KubeObject>(
  handler: ReflectorHandler<T>,
  fault: (error: unknown) => void,
): Required<ReflectorHandler<T>> {
  const guard = <A extends unknown[]>(call: (...args: A) => void) => {
    return (...args: A) => {
      try {
        call(...args);
      } catch (error) {
        fault(error);
      }
    };
  };
  return {
    listStarted: guard((list) => handler.listStarted(list)),
    present: guard((object) => handler.present(object)),
    deleted: guard((object) => handler.deleted(object)),
    listCompleted: guard(() => handler.listCompleted()),
    failed: guard((error) => handler.failed?.(error)),
  };
}
