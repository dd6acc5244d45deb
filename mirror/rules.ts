import type { KubeObject } from '#api/objects.ts';
import type { Resource } from '#api/resources.ts';
import type { Priority } from '#kube/gate.ts';
import type { Decision, Observation, Occupant } from '#mirror/observation.ts';
import type { ObjectKey } from '#mirror/object-key.ts';

/**
 * All that the engine must be told of one kind of copy from one plane. Everything here but `prepare` and the
 * two that verify is pure: it reads what was observed and calls nothing.
 */
export type MirrorRules<S extends KubeObject> = {
  /** Dotted name, the same in logs, metrics and folders: `writeback.endpointslice`. */
  controller: string;
  /** Owner of our fields on the hub. */
  fieldManager: string;
  source: Resource;
  /** Label selector of the sources: what it leaves out never leaves the API server. */
  selector: string;
  /** True where `selector` matches; a live read may show an object that it does not match. */
  selects(source: S): boolean;
  copy: Resource;
  /** The location or project that the copies are marked with. */
  origin: string;
  /** UID of the sources' cluster, as recorded on the copies. */
  sourceCluster: string;
  /** UIDs of clusters that the plane's name stood for before an operator bound it anew. */
  formerClusters?: ReadonlySet<string>;
  /**
   * Name and namespace of the copy that the source calls for, the same for a source that is gone; undefined where that is
   * not known. A copy of ours that stands elsewhere is a stray: it goes once the right copy is up or the source is gone.
   */
  copyKey(source: ObjectKey): ObjectKey | undefined;
  /** The one decision (design section 2), the same for events, sweeps and plans. */
  decide(source: ObjectKey, observation: Observation<S>, occupant: Occupant): Decision<KubeObject>;
  /** Makes what the copy needs before it can be written, if anything; throws to wait. */
  prepare?(source: ObjectKey, options: { signal: AbortSignal; priority: Priority }): Promise<void>;
  /** Has the plane say who it is, and heeds it from then on. @throws {ApiError} when it cannot be asked. */
  askSource(signal: AbortSignal): Promise<void>;
  /**
   * Makes sure that the plane is still the one that was bound, by an answer not older than `maxAgeMs`; 0: asked after this call.
   * @throws {WaitingError} when it is another one. @throws {ApiError} when it cannot be asked.
   */
  verifySource(options: { signal: AbortSignal; maxAgeMs: number }): Promise<void>;
  /**
   * Makes sure by a live read that `origin` is still the plane's, before a copy in another place goes though its source is there.
   * Left out where the plane cannot have moved. @throws {WaitingError} when it has. @throws {ApiError} when it cannot be asked.
   */
  verifyPlace?(signal: AbortSignal): Promise<void>;
};
