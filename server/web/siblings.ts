import cluster from 'node:cluster';
import { withTimeout } from '../lib/timeout.ts';
import { log } from '../observability/log.ts';
import { metrics } from '../observability/metrics.ts';
import {
  type FromWeb,
  isGatewayMessage,
  type ProcessReport,
  type ToWeb,
} from '../observability/web-messages.ts';

/** Longer than the keeper waits for a hanging web: no report comes later. */
const KEEPER_LIMIT_MS = 2_000;

/**
 * Joins several webs on one port: answers the keeper with this process's report, and metrics
 * requests here with everyone's, or only this process's if the keeper is silent.
 */
export function joinSiblings(report: () => Promise<string>): void {
  if (!cluster.isWorker) return;
  const asked = new Map<number, (reports: ProcessReport[]) => void>();
  let lastId = 0;
  let ownProcess: number | null = null;
  const tell = (message: FromWeb) => void process.send?.(message);
  process.on('message', (message) => {
    if (!isGatewayMessage<ToWeb>(message)) return;
    if (message.gateway === 'ping') tell({ gateway: 'pong' });
    else if (message.gateway === 'place') ownProcess = message.process;
    else if (message.gateway === 'report') {
      const { id } = message;
      report().then(
        (text) => tell({ gateway: 'report', id, text }),
        // The keeper goes on without this report.
        () => undefined,
      );
    } else if (message.gateway === 'reports') {
      asked.get(message.id)?.(message.reports);
      asked.delete(message.id);
    }
  });
  const ofAll = (id: number) =>
    new Promise<ProcessReport[]>((resolve) => {
      asked.set(id, resolve);
      tell({ gateway: 'collect', id });
    });
  const ownAlone = async (): Promise<ProcessReport[]> => {
    // The series would change without its label.
    return ownProcess === null ? [] : [{ process: ownProcess, text: await report() }];
  };
  metrics().collect = () => {
    lastId += 1;
    const id = lastId;
    return withTimeout(KEEPER_LIMIT_MS, ofAll(id)).catch((err: unknown) => {
      asked.delete(id);
      log().warn({ err }, 'the metrics of the other processes of this web could not be had');
      return ownAlone();
    });
  };
}
