import { join } from 'node:path';
import type { PlaneFiles } from '#planes/plane-files.ts';

/** Ports of one plane's store. */
export type StorePorts = { client: number; peer: number };

/** What an API server is started with. */
export type ApiServerSettings = {
  files: PlaneFiles;
  port: number;
  storeUrl: string;
  /** API groups and admission plug-ins that nothing here uses are off: 45 MiB less. */
  slim: boolean;
  /** Where to log one line for each answered request; nowhere when left out. */
  audit: { logFile: string; policyFile: string } | undefined;
  /** Further flags, last, so that they win. */
  flags: readonly string[];
};

/** Flags of etcd. No fsync: the planes outlive a crash of the program, not of the machine. */
export function etcdFlags(folder: string, { client, peer }: StorePorts): string[] {
  const clientUrl = `http://127.0.0.1:${client}`;
  const peerUrl = `http://127.0.0.1:${peer}`;
  return [
    '--name=e',
    `--data-dir=${folder}`,
    `--listen-client-urls=${clientUrl}`,
    `--advertise-client-urls=${clientUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=e=${peerUrl}`,
    '--unsafe-no-fsync',
    '--quota-backend-bytes=8589934592',
    '--log-level=warn',
  ];
}

/** Flags of kube-apiserver. No Endpoints of its own appear (`endpoint-reconciler-type`), so a slice that is seen was made by somebody. */
export function apiServerFlags({ files, port, storeUrl, slim, audit, flags }: ApiServerSettings): string[] {
  return [
    `--etcd-servers=${storeUrl}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    '--authorization-mode=RBAC',
    `--token-auth-file=${files.tokenFile}`,
    `--client-ca-file=${files.caFile}`,
    '--service-account-issuer=https://k',
    `--service-account-key-file=${files.signing.publicKeyFile}`,
    `--service-account-signing-key-file=${files.signing.privateKeyFile}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--endpoint-reconciler-type=none',
    `--tls-cert-file=${files.server.certificateFile}`,
    `--tls-private-key-file=${files.server.keyFile}`,
    '--profiling=false',
    ...(slim ? SLIM : []),
    ...(audit === undefined ? [] : [`--audit-log-path=${audit.logFile}`, `--audit-policy-file=${audit.policyFile}`]),
    ...flags,
  ];
}

/** Flags of an API server that passes requests on to an aggregated one, saying for whom. */
export function aggregatingFlags({ front, caFile }: PlaneFiles): string[] {
  return [
    `--proxy-client-cert-file=${front.certificateFile}`,
    `--proxy-client-key-file=${front.keyFile}`,
    `--requestheader-client-ca-file=${caFile}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
  ];
}

/** Flags of kube-controller-manager. With port 0 it serves nothing, so its readiness cannot be asked for. */
export function controllerManagerFlags(
  files: PlaneFiles,
  { controllers, port }: { controllers: readonly string[]; port: number },
): string[] {
  return [
    `--kubeconfig=${files.adminKubeconfig}`,
    `--controllers=${controllers.join(',')}`,
    '--leader-elect=false',
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--use-service-account-credentials=false',
    `--cert-dir=${join(files.folder, 'kcm')}`,
  ];
}

/**
 * The two flags belong together: with either alone the server never gets ready.
 * `coordination.k8s.io` must stay, and `api/all=false` must not be used.
 */
const SLIM = [
  `--runtime-config=${[
    'apps/v1',
    'batch/v1',
    'autoscaling/v2',
    'autoscaling/v1',
    'resource.k8s.io/v1',
    'policy/v1',
    'storage.k8s.io/v1',
    'node.k8s.io/v1',
    'certificates.k8s.io/v1',
  ]
    .map((api) => `${api}=false`)
    .join(',')}`,
  `--disable-admission-plugins=${[
    'LimitRanger',
    'ServiceAccount',
    'TaintNodesByCondition',
    'PodSecurity',
    'Priority',
    'DefaultTolerationSeconds',
    'DefaultStorageClass',
    'StorageObjectInUseProtection',
    'PodGroupProtection',
    'PersistentVolumeClaimResize',
    'RuntimeClass',
    'CertificateApproval',
    'CertificateSigning',
    'ClusterTrustBundleAttest',
    'CertificateSubjectRestriction',
    'DefaultIngressClass',
    'PodTopologyLabels',
    'PodGroupWorkloadExists',
    'NodeDeclaredFeatureValidator',
    'JobValidation',
    'PodResizeValidator',
    'MutatingAdmissionPolicy',
    'ValidatingAdmissionPolicy',
    'ResourceQuota',
  ].join(',')}`,
];
