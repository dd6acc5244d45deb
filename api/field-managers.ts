/**
 * The name under which we own fields on the hub, one for each controller.
 * Never rename one: the fields owned under the old name would be left behind on every copy.
 */

/** Field manager of the write-back's copies (design section 5). */
export const WRITEBACK_FIELD_MANAGER = 'fedhub-writeback';
/** Field manager of the replicator's copies and of the hub namespaces it makes. */
export const REPLICATOR_FIELD_MANAGER = 'fedhub-replicator';
/** Field manager of the serving locations and the generated policies (contract section 4). */
export const POLICIES_FIELD_MANAGER = 'fedhub-policies';
