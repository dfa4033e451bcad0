import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { messageId, signature, signingKey } from './sign.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const timestampS = () => Math.floor(Date.now() / 1000);

describe('signature', () => {
  test('equals that of the standardwebhooks library for any body', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const secret = newSecret();
        const atS = timestampS();
        const ours = signature([signingKey(secret)], 'msg_1', atS, Buffer.from(text));
        expect(ours).toBe(new Webhook(secret).sign('msg_1', new Date(atS * 1000), text));
      }),
    );
  });

  test('during a rotation both secrets verify, and no other', () => {
    const secrets = [newSecret(), newSecret()];
    const body = '{"invoice_id":"inv_1","description":"Два билета"}';
    const atS = timestampS();
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(atS),
      'webhook-signature': signature(secrets.map(signingKey), 'msg_1', atS, Buffer.from(body)),
    };
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    }
    expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
    expect(() => new Webhook(secrets[0]!).verify(`${body} `, headers)).toThrow();
  });
});

test('the message id is the same for an invoice on every attempt', () => {
  expect(messageId('ntf_01kx')).toBe('msg_01kx');
});
