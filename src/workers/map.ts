// Places the boxes of maps: large ones take a while.
import { parentPort } from 'node:worker_threads'
import { type MapJob, mapPlan } from '../tools/map-layout.ts'

parentPort!.on('message', (job: MapJob) => parentPort!.postMessage(mapPlan(job)))
