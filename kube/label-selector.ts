/** One requirement of a selector. `exists` and `in` want the key; the others are also met by an object that lacks it. */
export type Requirement = { key: string; operator: 'in' | 'notin' | 'exists' | 'absent'; values: string[] };

const SET = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/;
const EQUALITY = /^([^\s!=]+)\s*(==|!=|=)\s*([^\s=]*)$/;
const PRESENCE = /^(!?)\s*([^\s!=()]+)$/;
const NAME = /^[a-zA-Z0-9]([-_.a-zA-Z0-9]{0,61}[a-zA-Z0-9])?$/;
const PREFIX = /^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/;

/**
 * Parses a label selector as kubectl takes it: `a=b,c!=d,e in (f,g),h notin (i),j,!k`. An empty one selects everything.
 * Numeric comparisons are refused: a live read could not be judged by them as the server does.
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

/** True for what the API server takes as the key of a label: a name, with or without a DNS prefix before a slash. */
export function isLabelKey(key: string): boolean {
  const slash = key.indexOf('/');
  return NAME.test(key.slice(slash + 1)) && (slash < 0 || PREFIX.test(key.slice(0, slash)));
}

function splitOutsideSets(text: string): string[] {
  return text.split(/,(?![^(]*\))/).map((part) => part.trim());
}

/** What the server would refuse is refused here, so that it is told by whoever reads the configuration. */
function parseRequirement(part: string): Requirement {
  const requirement = readRequirement(part);
  const { key = '', values = [] } = requirement ?? {};
  if (requirement && isLabelKey(key) && values.every((value) => value === '' || NAME.test(value))) return requirement;
  throw new TypeError(`Cannot read label selector: "${part}" is no requirement`);
}

function readRequirement(part: string): Requirement | undefined {
  const [, setKey, setOperator, set = ''] = SET.exec(part) ?? [];
  if (setKey !== undefined) {
    return { key: setKey, operator: setOperator === 'in' ? 'in' : 'notin', values: set.split(',').map((value) => value.trim()) };
  }
  const [, key, sign, value = ''] = EQUALITY.exec(part) ?? [];
  if (key !== undefined) return { key, operator: sign === '!=' ? 'notin' : 'in', values: [value] };
  const [, not, present] = PRESENCE.exec(part) ?? [];
  return present === undefined ? undefined : { key: present, operator: not === '!' ? 'absent' : 'exists', values: [] };
}
