import type { OtlpSpan, OtlpTraces, OtlpValue } from './otlp-traces.ts';

// Reads Protobuf by the field numbers of opentelemetry-proto's trace.proto, and shares no code with
// the exporter that wrote it, so that it cannot repeat the exporter's mistakes.

type Field = { number: number; bytes: Buffer; value: bigint };

/** A message's fields in order; numbers have a `value`, fields with a length have `bytes`. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    if (at + length > message.length) throw new Error('the message is cut off');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const field: Field = { number: tag >> 3, bytes: Buffer.alloc(0), value: 0n };
    const wireType = tag & 7;
    if (wireType === 0) field.value = varint();
    else if (wireType === 1) field.value = take(8).readBigUInt64LE();
    else if (wireType === 2) field.bytes = take(Number(varint()));
    else if (wireType === 5) field.value = BigInt(take(4).readUInt32LE());
    else throw new Error(`there is no wire type ${wireType}`);
    fields.push(field);
  }
  return fields;
}

const all = (message: Buffer, number: number): Buffer[] =>
  fieldsOf(message)
    .filter((field) => field.number === number)
    .map(({ bytes }) => bytes);
const text = (message: Buffer, number: number): string =>
  all(message, number).at(-1)?.toString() ?? '';
const hex = (message: Buffer, number: number): string =>
  all(message, number).at(-1)?.toString('hex') ?? '';
const count = (message: Buffer, number: number): number =>
  Number(fieldsOf(message).findLast((field) => field.number === number)?.value ?? 0n);

function attribute(message: Buffer): { key: string; value: OtlpValue } {
  const [value] = all(message, 2).flatMap(fieldsOf);
  const key = text(message, 1);
  if (value?.number === 1) return { key, value: { stringValue: value.bytes.toString() } };
  if (value?.number === 3) return { key, value: { intValue: Number(value.value) } };
  return { key, value: {} };
}

function span(message: Buffer): OtlpSpan {
  const parentSpanId = hex(message, 4);
  return {
    traceId: hex(message, 1),
    spanId: hex(message, 2),
    ...(parentSpanId && { parentSpanId }),
    name: text(message, 5),
    kind: count(message, 6),
    attributes: all(message, 9).map(attribute),
    events: all(message, 11),
    links: all(message, 13).map((link) => ({ traceId: hex(link, 1), spanId: hex(link, 2) })),
    status: { code: count(all(message, 15)[0] ?? Buffer.alloc(0), 3) },
  };
}

/** Reads a body posted to `/v1/traces` as `application/x-protobuf`. */
export function readOtlpProtobuf(body: Buffer): OtlpTraces {
  return {
    resourceSpans: all(body, 1).map((one) => ({
      resource: { attributes: all(one, 1).flatMap((resource) => all(resource, 1).map(attribute)) },
      scopeSpans: all(one, 2).map((scoped) => ({
        scope: { name: text(all(scoped, 1)[0] ?? Buffer.alloc(0), 1) },
        spans: all(scoped, 2).map(span),
      })),
    })),
  };
}
