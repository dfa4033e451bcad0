/** A random UUID (version 4); a browser has its own only over https and on localhost. */
export function randomUuid(): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) => {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (place === 'x' ? byte & 15 : (byte & 3) | 8).toString(16);
  });
}
