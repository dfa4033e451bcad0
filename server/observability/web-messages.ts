/** The metrics of one process in Prometheus' text format. */
export type ProcessReport = {
  /** From 1 on; a process that takes the place of one that died has its number. */
  process: number;
  text: string;
};

/** What the keeper of several webs says to one of them. */
export type ToWeb =
  | { gateway: 'stop' }
  /** Asks whether its event loop still turns. */
  | { gateway: 'ping' }
  /** Which of them it is, once it listens. */
  | { gateway: 'place'; process: number }
  /** Asks for its own report. */
  | { gateway: 'report'; id: number }
  /** The answer to `collect`. */
  | { gateway: 'reports'; id: number; reports: ProcessReport[] };

/** What a web says to its keeper. */
export type FromWeb =
  | { gateway: 'pong' }
  /** Asks for the reports of all. */
  | { gateway: 'collect'; id: number }
  /** The answer to `report`. */
  | { gateway: 'report'; id: number; text: string };

/** Whether a message between processes is one of ours. */
export function isGatewayMessage<T extends ToWeb | FromWeb>(message: unknown): message is T {
  return typeof message === 'object' && message !== null && 'gateway' in message;
}
