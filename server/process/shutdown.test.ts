import { expect, onTestFinished, test, vi } from 'vitest';
import { createShutdown, type Stoppable } from './shutdown.ts';

test('a signal while a failed start ends neither begins another end nor takes its code away', async () => {
  const before = new Set(process.listeners('SIGTERM'));
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const shutdown = createShutdown(() => undefined);
  const [begin] = process.listeners('SIGTERM').filter((each) => !before.has(each));
  onTestFinished(() => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      for (const each of process.listeners(signal)) {
        if (each === begin) process.off(signal, each);
      }
    }
    vi.restoreAllMocks();
  });
  const order: string[] = [];
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const part = (name: string, stopping: Promise<void>): Stoppable => ({
    stop: async () => {
      order.push(`${name} stops`);
      await stopping;
      order.push(`${name} has stopped`);
    },
    kill: () => order.push(`${name} is killed`),
  });
  shutdown.add(part('database', Promise.resolve()));
  shutdown.add(part('web', held));
  const ended = shutdown.end(1);
  begin?.('SIGTERM');
  letGo();
  await ended;
  expect(order).toEqual(['web stops', 'web has stopped', 'database stops', 'database has stopped']);
  expect(exit.mock.calls).toEqual([[1]]);
});
