/** Seeds whose schedules once failed, with what was wrong. They run with every test run. */
export const FAILED_SEEDS: Record<number, string> = {};
