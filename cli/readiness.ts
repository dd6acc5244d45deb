/** How one plane stands. */
export type PlaneStanding = { name: string; phase: string; location?: string; waitingFor: string[] };

/** What the hub, the cells and the projects look like now, for the endpoints. */
export type Standing = {
  /** True once the hub has been observed in full: from then on everything that is published or withdrawn is decided on facts. */
  hubObserved: boolean;
  /** What keeps the hub from being observed, in words, without secrets. */
  waitingFor: string[];
  cells: PlaneStanding[];
  projects: PlaneStanding[];
  /** How the publishing of locations stands, where this process does that. */
  locations?: { observed: boolean; locations: number; waitingFor: string[] };
};

/** What `/readyz` answers: a status and a body that says what is waited for, one thing a line. */
export function judgeReadiness(standing: Standing): { status: 200 | 503; body: string } {
  // A plane that is away is no reason to be called unready: the others are served all the same.
  if (standing.hubObserved) return { status: 200, body: 'ready\n' };
  const reasons = standing.waitingFor.length > 0 ? standing.waitingFor : ['the hub to be observed'];
  return { status: 503, body: reasons.map((reason) => `waiting for ${reason}\n`).join('') };
}
