/** The text of a kubeconfig with one context: `main`, of user `me` on cluster `there`. JSON is YAML. */
export function kubeconfigText(parts: { cluster: Record<string, unknown>; user?: Record<string, unknown> }): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'main',
    contexts: [{ name: 'main', context: { cluster: 'there', user: 'me' } }],
    clusters: [{ name: 'there', cluster: parts.cluster }],
    users: [{ name: 'me', user: parts.user ?? {} }],
  });
}
