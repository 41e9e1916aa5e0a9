// A header of the consumer: Indexical has one of this name, too.
#ifndef CONSUMER_OPS_OP_H
#define CONSUMER_OPS_OP_H

inline constexpr char kConsumer[] = "consumer of";

#endif
