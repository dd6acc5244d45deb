import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ExecCredentials } from '#kube/exec-credentials.ts';
import { ManualClock } from '#kube/testing/manual-clock.ts';
import { recordingLog } from '#kube/testing/scripted-client.ts';
import { temporaryFolder } from '#kube/testing/temporary-folder.ts';
import type { TemporaryFolder } from '#kube/testing/temporary-folder.ts';

/** Answers with what stands in the file `answer`, and adds a letter to the file `runs`. */
const PROGRAM = `
  const { appendFileSync, readFileSync } = require('node:fs');
  appendFileSync(process.env.FOLDER + '/runs', JSON.parse(process.env.KUBERNETES_EXEC_INFO).kind[0]);
  process.stdout.write(readFileSync(process.env.FOLDER + '/answer', 'utf8'));
`;

describe('credentials of a program', () => {
  let folder: TemporaryFolder;
  let clock: ManualClock;
  let credentials: ExecCredentials;

  beforeEach(() => {
    folder = temporaryFolder();
    clock = new ManualClock();
    const config = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['-e', PROGRAM],
      env: { FOLDER: folder.path },
      provideClusterInfo: false,
    };
    credentials = new ExecCredentials({ config, environment: {}, cluster: {}, clock, log: recordingLog() });
  });
  afterEach(() => folder.remove());

  const answer = (token: string, lifetimeMs?: number) => {
    const expirationTimestamp = lifetimeMs === undefined ? undefined : new Date(clock.wallMs() + lifetimeMs).toISOString();
    folder.write('answer', JSON.stringify({ kind: 'ExecCredential', status: { token, expirationTimestamp } }));
  };
  const runs = () => readFileSync(`${folder.path}/runs`, 'utf8');
  const token = async () => (await credentials.get()).token;

  it('are made once, however many ask at once', async () => {
    answer('one');
    assert.deepEqual(await Promise.all([token(), token(), token()]), ['one', 'one', 'one']);
    await clock.advance(86_400_000);
    assert.equal(await token(), 'one');
    assert.equal(runs(), 'E');
  });

  it('are made anew a minute before they expire', async () => {
    answer('one', 3_600_000);
    await token();
    answer('two', 7_200_000);
    await clock.advance(3_539_999);
    assert.equal(await token(), 'one');
    await clock.advance(1);
    assert.equal(await token(), 'two');
  });

  it('that live for a minute are not made for every request', async () => {
    answer('one', 60_000);
    await token();
    await clock.advance(44_999);
    await token();
    assert.equal(runs(), 'E');
    await clock.advance(1);
    await token();
    assert.equal(runs(), 'EE');
  });

  it('that are expired already, by our clock, are used and made anew after a few seconds', async () => {
    answer('one', -600_000);
    assert.equal(await token(), 'one');
    assert.equal(await token(), 'one');
    assert.equal(runs(), 'E');
    await clock.advance(5_000);
    await token();
    assert.equal(runs(), 'EE');
  });

  it('stay in use when no new ones can be made', async () => {
    answer('one', 60_000);
    await token();
    folder.write('answer', 'something else');
    await clock.advance(60_000);
    assert.equal(await token(), 'one');
  });

  it('that were never made say which program failed, and not what it wrote', async () => {
    folder.write('answer', 'a secret');
    await assert.rejects(token(), { message: `Cannot execute "${process.execPath}": its answer is no credential` });
  });
});
