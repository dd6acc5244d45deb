import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { leaveOnFault } from '#cli/leave-on-fault.ts';
import { createLog } from '#cli/logger.ts';

describe('a fault that nothing caught', () => {
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    it(`ends the program with a line that says where it lies (${event})`, () => {
      const source = new EventEmitter();
      const lines: string[] = [];
      const left: number[] = [];
      const log = createLog('error', { write: (line: string) => void lines.push(line) });
      const off = leaveOnFault({ source, log, leave: (exitCode) => left.push(exitCode) });
      source.emit(event, new TypeError('broken'));
      assert.deepEqual(left, [1]);
      assert.match(lines[0] ?? '', /"name":"TypeError".*broken.*leave-on-fault\.test\.ts/);
      off();
      assert.equal(source.listenerCount(event), 0);
    });
  }
});
