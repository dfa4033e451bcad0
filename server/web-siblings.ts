import cluster from 'node:cluster';
import { metrics } from './lib/metrics.ts';
import {
  type FromWeb,
  isGatewayMessage,
  type ProcessReport,
  type ToWeb,
} from './lib/web-messages.ts';

/**
 * Where several webs share a port: answers the keeper with this one's report, and lets whoever
 * is asked for metrics here have those of all.
 */
export function joinSiblings(report: () => Promise<string>): void {
  if (!cluster.isWorker) return;
  const asked = new Map<number, (reports: ProcessReport[]) => void>();
  let lastId = 0;
  const tell = (message: FromWeb) => void process.send?.(message);
  process.on('message', (message) => {
    if (!isGatewayMessage<ToWeb>(message)) return;
    if (message.gateway === 'ping') tell({ gateway: 'pong' });
    else if (message.gateway === 'report') {
      const { id } = message;
      report().then(
        (text) => tell({ gateway: 'report', id, text }),
        // The keeper goes on without it.
        () => undefined,
      );
    } else if (message.gateway === 'reports') {
      asked.get(message.id)?.(message.reports);
      asked.delete(message.id);
    }
  });
  metrics().collect = () =>
    new Promise((resolve) => {
      lastId += 1;
      asked.set(lastId, resolve);
      tell({ gateway: 'collect', id: lastId });
    });
}
