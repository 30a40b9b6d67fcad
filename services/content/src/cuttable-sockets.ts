import { Socket } from 'node:net'

/** Sockets for the driver, which can all be ended at once; later ones then end at once. */
export function cuttableSockets() {
  const opened = new Set<Socket>()
  let isCut = false
  return {
    open: () => {
      const socket = new Socket()
      opened.add(socket)
      socket.once('close', () => opened.delete(socket))
      if (isCut) process.nextTick(() => socket.destroy())
      return socket
    },
    cut: () => {
      isCut = true
      for (const socket of opened) socket.destroy()
    },
  }
}
