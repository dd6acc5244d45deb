import { hash } from 'node:crypto';

/**
 * A short fingerprint of a JSON value: equal values give equal digests whatever the order of their keys.
 * 43 characters. `undefined` members are as good as absent; `null` is a value of its own, since `ports: null` must cross as such.
 */
export function digest(value: unknown): string {
  return hash('sha256', canonical(value), 'base64url');
}

function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  return `{${members(value).join(',')}}`;
}

function members(value: object): string[] {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
}
