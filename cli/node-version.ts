/** The oldest Node that the libraries in use and running TypeScript as it is were proven on. */
const OLDEST = [24, 22, 3] as const;

/** Why this version of Node (`v24.22.3`) cannot run the program; undefined when it can. */
export function refuseOldNode(version: string): string | undefined {
  const parts = version.replace(/^v/, '').split('.').map(Number);
  const difference = OLDEST.map((oldest, at) => (parts[at] ?? 0) - oldest).find((one) => one !== 0) ?? 0;
  if (difference >= 0) return undefined;
  return `fedhub needs Node ${OLDEST.join('.')} or newer, and this is ${version}. In a checkout, node_modules/.bin/node is one.`;
}
