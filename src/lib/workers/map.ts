// Places the boxes of maps: large ones take a while.
import { parentPort } from 'node:worker_threads'
import { type MapJob, mapPlan } from '../map-layout.ts'

parentPort!.on('message', (job: MapJob) => parentPort!.postMessage(mapPlan(job)))
