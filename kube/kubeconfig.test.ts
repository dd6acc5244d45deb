import assert from 'node:assert/strict';
import { TerminalError } from '#kube/errors.ts';
import { parseKubeconfig, readKubeconfig } from '#kube/kubeconfig.ts';
import { kubeconfigText } from '#kube/testing/kubeconfig-text.ts';

const file = '/etc/fedhub/cell.kubeconfig';
const cluster = { server: 'https://10.0.0.1:6443' };
const parse = (parts: Parameters<typeof kubeconfigText>[0], context?: string) => parseKubeconfig(kubeconfigText(parts), { file, context });

describe('a kubeconfig', () => {
  it('names the server and what is needed to reach it', () => {
    const config = parse({
      cluster: {
        server: 'https://10.0.0.1:6443/prefix/',
        'tls-server-name': 'api',
        'proxy-url': 'http://proxy:3128',
        'insecure-skip-tls-verify': true,
      },
      user: { token: 'secret', as: 'somebody' },
    });
    assert.equal(config.server, 'https://10.0.0.1:6443/prefix');
    assert.equal(config.tlsServerName, 'api');
    assert.equal(config.proxyUrl, 'http://proxy:3128');
    assert.equal(config.insecureSkipTlsVerify, true);
    assert.deepEqual(config.token, { text: 'secret' });
    assert.equal(config.impersonate, 'somebody');
  });

  it('means the files beside it from its own folder', () => {
    const user = { 'client-certificate': 'me.crt', 'client-key': '/keys/me.key', tokenFile: 'tokens/me' };
    const config = parse({ cluster: { ...cluster, 'certificate-authority': 'ca.crt' }, user });
    assert.deepEqual(config.ca, { file: '/etc/fedhub/ca.crt' });
    assert.deepEqual(config.certificate, { file: '/etc/fedhub/me.crt' });
    assert.deepEqual(config.key, { file: '/keys/me.key' });
    assert.deepEqual(config.token, { file: '/etc/fedhub/tokens/me' });
  });

  it('prefers what stands in it to a file, but a token file to a token', () => {
    const base64 = Buffer.from('PEM').toString('base64');
    const user = { token: 'old', tokenFile: '/t' };
    const config = parse({ cluster: { ...cluster, 'certificate-authority-data': base64, 'certificate-authority': 'ca.crt' }, user });
    assert.deepEqual(config.ca, { text: 'PEM' });
    assert.deepEqual(config.token, { file: '/t' });
  });

  it('may name a program that makes credentials', () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './get-token', args: ['a'], env: [{ name: 'K', value: 'v' }] };
    assert.deepEqual(parse({ cluster, user: { exec } }).exec, {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: '/etc/fedhub/get-token',
      args: ['a'],
      env: { K: 'v' },
      provideClusterInfo: false,
    });
    assert.equal(parse({ cluster, user: { exec: { ...exec, command: 'aws' } } }).exec?.command, 'aws');
  });

  it('is refused with the file and the fact', () => {
    const texts: [string, RegExp][] = [
      ['', /is no kubeconfig/],
      ['kind: Config', /has no current context/],
      [kubeconfigText({ cluster: {} }), /is no kubeconfig/],
      ['{{{', /is no kubeconfig/],
      [kubeconfigText({ cluster: { server: 'nowhere' } }), /has no valid server for cluster "there"/],
      [kubeconfigText({ cluster, user: { exec: { apiVersion: 'v0', command: 'x' } } }), /unknown apiVersion for its command/],
      [kubeconfigText({ cluster, user: { 'auth-provider': { name: 'oidc' } } }), /uses an auth-provider for user "me"/],
      [kubeconfigText({ cluster }).replace('"user":"me"', '"user":"you"'), /has no user "you"/],
    ];
    for (const [text, fact] of texts) {
      assert.throws(() => parseKubeconfig(text, { file }), { name: 'TerminalError', code: 'Kubeconfig', message: fact }, text);
      assert.throws(() => parseKubeconfig(text, { file }), { message: /"\/etc\/fedhub\/cell.kubeconfig"/ });
    }
    assert.throws(() => parse({ cluster }, 'other'), /has no context "other"/);
  });

  it('never shows its secrets in an error', () => {
    const text = 'users: [{name: me, user: {token: very-secret]';
    assert.throws(
      () => parseKubeconfig(text, { file }),
      (error: unknown) => {
        assert.ok(error instanceof TerminalError);
        assert.ok(!`${error.message} ${String(error.cause)}`.includes('very-secret'));
        return true;
      },
    );
  });

  it('that does not exist is refused in the same way', async () => {
    await assert.rejects(readKubeconfig('/nowhere/config'), {
      code: 'Kubeconfig',
      message: 'Cannot read kubeconfig "/nowhere/config": it cannot be opened',
    });
  });
});
