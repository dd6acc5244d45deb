import type { PlaneFiles } from '#planes/plane-files.ts';

/** Flags of karmada-webhook. Its certificate folder holds `tls.crt` and `tls.key`. */
export function webhookFlags(
  { adminKubeconfig }: PlaneFiles,
  { port, healthPort, certFolder }: { port: number; healthPort: number; certFolder: string },
): string[] {
  return [
    `--kubeconfig=${adminKubeconfig}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${certFolder}`,
    '--metrics-bind-address=0',
    `--health-probe-bind-address=127.0.0.1:${healthPort}`,
  ];
}

/**
 * Flags of karmada-controller-manager: looks at its members each second, never slows itself down, and runs only the controllers that deliver.
 * With its own limits a hundred slices would take more than a minute.
 */
export function karmadaControllerFlags({ adminKubeconfig }: PlaneFiles, { healthPort }: { healthPort: number }): string[] {
  return [
    `--kubeconfig=${adminKubeconfig}`,
    '--leader-elect=false',
    '--metrics-bind-address=0',
    `--health-probe-bind-address=127.0.0.1:${healthPort}`,
    '--enable-cluster-resource-modeling=false',
    '--cluster-status-update-frequency=1s',
    '--cluster-success-threshold=1s',
    '--cluster-failure-threshold=1s',
    '--rate-limiter-max-delay=5s',
    '--rate-limiter-qps=1000',
    '--rate-limiter-bucket-size=1000',
    '--kube-api-qps=1000',
    '--kube-api-burst=2000',
    '--cluster-api-qps=1000',
    '--cluster-api-burst=2000',
    '--controllers=cluster,clusterStatus,binding,bindingStatus,execution,workStatus,namespace',
  ];
}

/** Flags of karmada-scheduler. */
export function schedulerFlags({ adminKubeconfig }: PlaneFiles, { healthPort }: { healthPort: number }): string[] {
  return [
    `--kubeconfig=${adminKubeconfig}`,
    '--leader-elect=false',
    '--metrics-bind-address=0',
    `--health-probe-bind-address=127.0.0.1:${healthPort}`,
  ];
}

/** Flags of karmada-aggregated-apiserver. It keeps its objects in the hub's store under a prefix of its own. */
export function aggregatedServerFlags(
  { adminKubeconfig, server }: PlaneFiles,
  { port, storeUrl }: { port: number; storeUrl: string },
): string[] {
  return [
    `--kubeconfig=${adminKubeconfig}`,
    `--authentication-kubeconfig=${adminKubeconfig}`,
    `--authorization-kubeconfig=${adminKubeconfig}`,
    `--etcd-servers=${storeUrl}`,
    '--etcd-prefix=/hub-agg',
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${server.certificateFile}`,
    `--tls-private-key-file=${server.keyFile}`,
    '--enable-priority-and-fairness=false',
  ];
}
