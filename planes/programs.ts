/** Programs that are built together: one Go module under `planes/modules/` each. */
export type Family = 'etcd' | 'kubernetes' | 'karmada';

/** Every program that a plane may run. The name is also the file's name in the cache and in `KUBEBUILDER_ASSETS`. */
export type Program =
  | 'etcd'
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kubectl'
  | 'karmada-webhook'
  | 'karmada-controller-manager'
  | 'karmada-scheduler'
  | 'karmada-aggregated-apiserver';

/** What a program is, where its source lies, and how long its first build takes. */
export type ProgramSource = {
  family: Family;
  /** Go package of the program. */
  package: string;
  /** What breaks without it, for error messages. */
  purpose: string;
  /** Seconds of a build with an empty Go cache on two cores, in the order of `BUILD_ORDER`. Only used to say how long it still takes. */
  coldBuildSeconds: number;
};

/** The source of each program. */
export const PROGRAMS: Readonly<Record<Program, ProgramSource>> = {
  etcd: { family: 'etcd', package: 'go.etcd.io/etcd/server/v3', purpose: 'the store of every plane', coldBuildSeconds: 45 },
  'kube-apiserver': {
    family: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kube-apiserver',
    purpose: 'the API server of every plane',
    coldBuildSeconds: 190,
  },
  'kube-controller-manager': {
    family: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kube-controller-manager',
    purpose: 'garbage collection on the hub and the end of deleted namespaces',
    coldBuildSeconds: 50,
  },
  kubectl: {
    family: 'kubernetes',
    package: 'k8s.io/kubernetes/cmd/kubectl',
    purpose: 'looking at the planes by hand',
    coldBuildSeconds: 25,
  },
  'karmada-controller-manager': {
    family: 'karmada',
    package: 'github.com/karmada-io/karmada/cmd/controller-manager',
    purpose: 'carrying copies from the hub to its members',
    coldBuildSeconds: 100,
  },
  'karmada-scheduler': {
    family: 'karmada',
    package: 'github.com/karmada-io/karmada/cmd/scheduler',
    purpose: 'deciding which member gets which copy',
    coldBuildSeconds: 7,
  },
  'karmada-webhook': {
    family: 'karmada',
    package: 'github.com/karmada-io/karmada/cmd/webhook',
    purpose: 'the ids without which bindings are never scheduled',
    coldBuildSeconds: 5,
  },
  'karmada-aggregated-apiserver': {
    family: 'karmada',
    package: 'github.com/karmada-io/karmada/cmd/aggregated-apiserver',
    purpose: "serving Karmada's Cluster as in production",
    coldBuildSeconds: 45,
  },
};

/** What any plane needs. */
export const PLANE_PROGRAMS: readonly Program[] = ['etcd', 'kube-apiserver', 'kube-controller-manager'];

/** What a hub with Karmada needs besides. */
export const KARMADA_PROGRAMS: readonly Program[] = ['karmada-controller-manager', 'karmada-scheduler', 'karmada-webhook'];

/** Every program, in the order in which they are built: the estimates hold for this order, since later ones reuse earlier packages. */
export const BUILD_ORDER: readonly Program[] = [...PLANE_PROGRAMS, 'kubectl', ...KARMADA_PROGRAMS, 'karmada-aggregated-apiserver'];
