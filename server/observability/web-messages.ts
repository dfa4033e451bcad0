/** The metrics of one process in Prometheus's text format. */
export type ProcessReport = {
  /** Counted from 1; a replacement for a dead process takes its number. */
  process: number;
  text: string;
};

/** Messages from the keeper of several webs to one of them. */
export type ToWeb =
  | { gateway: 'stop' }
  /** Asks whether its event loop still runs. */
  | { gateway: 'ping' }
  /** Tells a web its number once it listens. */
  | { gateway: 'place'; process: number }
  /** Asks for its own report. */
  | { gateway: 'report'; id: number }
  /** The answer to `collect`. */
  | { gateway: 'reports'; id: number; reports: ProcessReport[] };

/** Messages from a web to its keeper. */
export type FromWeb =
  | { gateway: 'pong' }
  /** Asks for every web's report. */
  | { gateway: 'collect'; id: number }
  /** The answer to `report`. */
  | { gateway: 'report'; id: number; text: string };

/** Whether a message between processes is one of ours. */
export function isGatewayMessage<T extends ToWeb | FromWeb>(message: unknown): message is T {
  return typeof message === 'object' && message !== null && 'gateway' in message;
}
