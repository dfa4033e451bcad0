import { connect, type Socket } from 'node:net';

/** A caller that writes the bytes of its requests itself; `answer` tells all that came back so far. */
export type RawSender = { socket: Socket; answer: () => string };

/** Connects to a server of 127.0.0.1. A connection that breaks is no error: what came says enough. */
export function openSender(port: number, localAddress = '127.0.0.1'): RawSender {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
  });
  socket.on('error', () => undefined);
  return { socket, answer: () => answer };
}
