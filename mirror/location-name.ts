/** A DNS label: the names of copies rely on a location having no dot, and labels on its fitting whole (contract section 1). */
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** True for a name that a location may have. */
export function isLocationName(name: string): boolean {
  return DNS_LABEL.test(name);
}
