/** One requirement of a selector. `exists` and `in` want the key; the others are also met by an object that lacks it. */
export type Requirement = { key: string; operator: 'in' | 'notin' | 'exists' | 'absent'; values: string[] };

const SET = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/;
const EQUALITY = /^([^\s!=]+)\s*(==|!=|=)\s*([^\s=]*)$/;
const PRESENCE = /^(!?)\s*([^\s!=()]+)$/;

/**
 * Parses a label selector as kubectl takes it: `a=b,c!=d,e in (f,g),h notin (i),j,!k`. An empty one selects everything.
 * @throws {TypeError} naming the part that is none.
 */
export function parseSelector(text: string): Requirement[] {
  return text.trim() === '' ? [] : splitOutsideSets(text).map(parseRequirement);
}

/** True when labels meet every requirement. */
export function matchesSelector(selector: readonly Requirement[], labels: Record<string, string>): boolean {
  return selector.every(({ key, operator, values }) => {
    const value = labels[key];
    if (operator === 'exists') return value !== undefined;
    if (operator === 'absent') return value === undefined;
    if (operator === 'in') return value !== undefined && values.includes(value);
    return value === undefined || !values.includes(value);
  });
}

function splitOutsideSets(text: string): string[] {
  return text.split(/,(?![^(]*\))/).map((part) => part.trim());
}

function parseRequirement(part: string): Requirement {
  const [, setKey, setOperator, set = ''] = SET.exec(part) ?? [];
  if (setKey !== undefined) {
    return { key: setKey, operator: setOperator === 'in' ? 'in' : 'notin', values: set.split(',').map((value) => value.trim()) };
  }
  const [, key, sign, value = ''] = EQUALITY.exec(part) ?? [];
  if (key !== undefined) return { key, operator: sign === '!=' ? 'notin' : 'in', values: [value] };
  const [, not, present] = PRESENCE.exec(part) ?? [];
  if (present === undefined) throw new TypeError(`Cannot read label selector: "${part}" is no requirement`);
  return { key: present, operator: not === '!' ? 'absent' : 'exists', values: [] };
}
