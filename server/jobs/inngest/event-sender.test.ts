import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openFakeInngest } from '../../testing/inngest.ts';
import type { DueEvent } from './due-events.ts';
import { createEventSender, SendError } from './event-sender.ts';

// The relay's first pause.
const FIRST_PAUSE_MS = 500;

const eventOf = (id: string): DueEvent => ({
  name: 'gateway/callbacks.due',
  id,
  ts: 1_000,
  data: { dueAt: 1_000 },
});

test('what was given up is not sent beside what comes after it', async () => {
  const inngest = await openFakeInngest();
  onTestFinished(() => inngest.close());
  const timeoutMs = 1_000;
  const send = createEventSender({ timeoutMs, baseUrl: inngest.baseUrl, eventKey: 'test' });
  inngest.mode = 'silent';
  await expect(send([eventOf('first')])).rejects.toBeInstanceOf(SendError);
  await sleep(FIRST_PAUSE_MS);
  await expect(send([eventOf('second')])).rejects.toBeInstanceOf(SendError);
  expect(inngest.requests).toBe(2);
});
