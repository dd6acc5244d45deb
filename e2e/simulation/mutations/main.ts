import { mutationNames, tryMutation } from '#e2e/simulation/mutations/run.ts';

/*
 * node e2e/simulation/mutations/main.ts [MUTATION...]
 * Breaks a copy of the tree in each way that is kept here; exits 1 when the simulation does not notice one within 2,000 schedules.
 */
const SCHEDULES = 2_000;

const asked = process.argv.slice(2);
for (const mutation of asked.length > 0 ? asked : mutationNames()) {
  const { caught, said } = tryMutation(mutation, { schedules: SCHEDULES });
  console.log(`${caught ? 'caught' : 'NOT CAUGHT'}  ${mutation}: ${said}`);
  if (!caught) process.exitCode = 1;
}
