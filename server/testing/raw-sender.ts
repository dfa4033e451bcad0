import { connect, type Socket } from 'node:net';

/** A caller that writes its requests' bytes itself; `answer` has everything received so far. */
export type RawSender = { socket: Socket; answer: () => string };

/** Connects to a server of 127.0.0.1. A break is no error: the received bytes are enough. */
export function openSender(port: number, localAddress = '127.0.0.1'): RawSender {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
  });
  socket.on('error', () => undefined);
  return { socket, answer: () => answer };
}
