import { startEnvironment } from '#planes/environment.ts';
import { writeFileSync } from 'node:fs';
import { applyManifest } from '#planes/manifests.ts';
const env = await startEnvironment({ log: console.log });
const [hub, c1] = await Promise.all([env.startHub({audit:true}), env.startCell('c1', {audit: true})]);
await applyManifest(hub, 'config/rbac/hub.yaml'); await applyManifest(c1, 'config/rbac/cell.yaml');
writeFileSync('/tmp/hub.yaml', `apiVersion: federation.datumapis.com/v1alpha1
kind: HubConfig
hub: {kubeconfig: ${hub.serviceKubeconfig}}
cells: [{name: c1, kubeconfig: ${c1.serviceKubeconfig}, location: nyc}]
server: {address: "127.0.0.1:8099"}
log: {level: debug}
writeback: {sweepInterval: 5s, retryInterval: 1s, idleTimeout: 90s}
`);
console.log('hub', hub.adminKubeconfig, 'c1', c1.adminKubeconfig, hub.auditLog, env.folder);
setInterval(()=>{}, 1000);
