/** Where a server listens. Port 0 lets the machine choose one. */
export type ListenAddress = { host: string; port: number };

/** Reads `127.0.0.1:8080`, `[::1]:8080` or `:8080` (every address of the machine); undefined for anything else. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]]*)):(\d{1,5})$/.exec(text);
  if (match === null) return undefined;
  const port = Number(match[3]);
  return port <= 65_535 ? { host: match[1] ?? (match[2] || '::'), port } : undefined;
}

/** Writes an address so that `parseListenAddress` reads it back. */
export function formatListenAddress({ host, port }: ListenAddress): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
