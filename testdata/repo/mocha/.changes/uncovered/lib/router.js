import { compile } from './pattern.js'

export class Router {
  #routes = []

  on(method, pattern, handler) {
    this.#routes.push({ method: method.toUpperCase(), match: compile(pattern), handler })
    return this
  }

  handle(method, path) {
    let known = false
    for (const route of this.#routes) {
      const params = route.match(path)
      if (!params) {
        continue
      }
      known = true
      if (route.method === method) {
        return { status: 200, body: route.handler(params) }
      }
    }
    return { status: known ? 405 : 404, body: '' }
  }

  allowed(path) {
    const methods = this.#routes
      .filter((route) => route.match(path))
      .map((route) => route.method)
    if (methods.length === 0) {
      return null
    }
    const names = [...new Set(methods)].sort()
    return names.join(', ')
  }
}
